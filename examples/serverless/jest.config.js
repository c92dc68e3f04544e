export default { setupFilesAfterEnv: ["lettershop/testing/jest"] };
