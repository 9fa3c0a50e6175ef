// It works in the folder in which it is loaded: loaded by a test in a temporary one, it fails once that is gone.
import "esbuild";
