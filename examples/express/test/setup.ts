// The matchers and their types.
import "lettershop/testing/vitest";
