// esbuild works in the folder in which it is loaded. A test that loaded it in a temporary one
// would make later tests fail, once that folder is removed.
import "esbuild";
