type Texts = { readonly [name: string]: string };

/** What an agent needs to use the model server: variables of the environment, files of its home. */
type Setup = (url: string) => { readonly env?: Texts; readonly files?: Texts };

/** An agent from npm. */
export interface LiveAgent {
  /** The package with its version. */
  readonly id: string;
  readonly command: string;
  readonly setup: Setup;
  /** Steps that fail through a defect of the agent. */
  readonly defects?: readonly string[];
}

const key = "placeholder";

const anthropic: Setup = (url) => ({
  env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key, IS_SANDBOX: "1" },
  files: { ".claude/settings.json": JSON.stringify({ permissions: { ask: ["Bash"] } }) },
});

const codex: Setup = (url) => ({
  files: {
    ".codex/config.toml": `model = "placeholder"
      model_provider = "local"
      model_providers.local = { name = "local", base_url = "${url}/v1", wire_api = "responses" }`,
  },
});

const zedCodex: Setup = (url) => {
  const policy = `approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"`;
  return {
    files: { ".codex/config.toml": `${policy}\n${codex(url).files![".codex/config.toml"]}` },
  };
};

const gemini: Setup = (url) => ({
  env: {
    ...{ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key, GEMINI_MODEL: "gemini-2.5-flash" },
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  },
  files: { ".gemini/settings.json": selectAuth("gemini-api-key") },
});

const qwen: Setup = (url) => ({
  env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: "gpt-4o" },
  files: { ".qwen/settings.json": selectAuth("openai") },
});

const copilot: Setup = (url) => ({
  env: {
    ...{ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_TYPE: "openai" },
    ...{ COPILOT_PROVIDER_API_KEY: key, COPILOT_MODEL: "gpt-4o", COPILOT_OFFLINE: "true" },
  },
});

const opencode: Setup = (url) => {
  const options = { baseURL: `${url}/v1`, apiKey: key };
  const local = { npm: "@ai-sdk/openai-compatible", options, models: { placeholder: {} } };
  const provider = { model: "local/placeholder", provider: { local } };
  const config = { ...provider, autoupdate: false, permission: { bash: "ask" } };
  return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } };
};

/** Node.js for all agents, since some need a newer one than this project. */
export const RUNTIME = "node@24.21.0";

/** The agents by the names that the command takes. */
export const AGENTS: { readonly [name: string]: LiveAgent } = {
  claude: {
    id: "@agentclientprotocol/claude-agent-acp@0.101.0",
    command: "claude-agent-acp",
    setup: anthropic,
  },
  codex: { id: "@agentclientprotocol/codex-acp@2.6.0", command: "codex-acp", setup: codex },
  opencode: { id: "opencode-ai@1.18.33", command: "opencode acp", setup: opencode },
  gemini: {
    id: "@google/gemini-cli@0.61.0",
    command: "gemini --acp",
    setup: gemini,
    // It overwrites the history of a session that it opens in the minute of its creation.
    defects: ["session/load"],
  },
  qwen: { id: "@qwen-code/qwen-code@0.24.4", command: "qwen --acp", setup: qwen },
  copilot: { id: "@github/copilot@1.0.102", command: "copilot --acp", setup: copilot },
  "zed-claude": {
    id: "@zed-industries/claude-code-acp@0.16.2",
    command: "claude-code-acp",
    setup: anthropic,
  },
  "zed-codex": { id: "@zed-industries/codex-acp@0.16.0", command: "codex-acp", setup: zedCodex },
};

function selectAuth(selectedType: string): string {
  return JSON.stringify({ security: { auth: { selectedType } } });
}
