/** The commands that make `npx acp-codegen` work in a new folder, as hand-written texts have them. */
const FROM_CLONE = `git clone https://github.com/acp-codegen/acp-codegen
npm ci --prefix acp-codegen
mkdir my-project && cd my-project
npm install --save-dev ../acp-codegen`;

const FROM_REGISTRY = `mkdir my-project && cd my-project
npm install --save-dev acp-codegen`;

/**
 * Returns the commands that make `npx acp-codegen` work in a new folder.
 *
 * @param published whether the registries have acp-codegen
 */
export function setUp(published: boolean): string {
  return published ? FROM_REGISTRY : FROM_CLONE;
}

/** Returns a text with the set-up of the registries in place of that of a clone, once it works. */
export function withSetUp(text: string, published: boolean): string {
  return text.replaceAll(FROM_CLONE, setUp(published));
}
