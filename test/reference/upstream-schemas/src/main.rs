//! Prints the JSON Schemas of the protocol as the crate `agent-client-protocol-schema` defines them:
//! `{ "v1": { "schema": …, "meta": … }, "v2": … }`. The features of the build decide what they contain.

use agent_client_protocol_schema as acp;
use schemars::generate::SchemaSettings;
use schemars::transform::{RemoveRefSiblings, ReplaceBoolSchemas};
use serde_json::{Value, json};

/// The root type of one version, from which all definitions follow, and its tables of methods.
macro_rules! version {
    ($version:ident, $number:literal) => {
        mod $version {
            use crate::acp::$version::*;
            use schemars::JsonSchema;

            macro_rules! sent_by {
                ($name:ident, $request:ty, $response:ty, $notification:ty) => {
                    #[allow(dead_code, clippy::large_enum_variant)]
                    #[derive(JsonSchema)]
                    #[serde(untagged)]
                    #[schemars(inline)]
                    pub enum $name {
                        Request(Request<$request>),
                        Response(Response<$response>),
                        Notification(Notification<$notification>),
                    }
                };
            }
            sent_by!(AgentMessage, AgentRequest, AgentResponse, AgentNotification);
            sent_by!(ClientMessage, ClientRequest, ClientResponse, ClientNotification);
            #[cfg(feature = "proxy")]
            sent_by!(ProxyMessage, ProxyRequest, ProxyResponse, ProxyNotification);

            #[allow(dead_code, clippy::large_enum_variant)]
            #[derive(JsonSchema)]
            #[serde(untagged)]
            #[schemars(title = "Agent Client Protocol")]
            pub enum Root {
                Agent(JsonRpcMessage<AgentMessage>),
                Client(JsonRpcMessage<ClientMessage>),
                ProtocolLevel(JsonRpcMessage<Notification<ProtocolLevelNotification>>),
                #[cfg(feature = "proxy")]
                Proxy(JsonRpcMessage<ProxyMessage>),
            }

            pub fn meta() -> serde_json::Value {
                #[allow(unused_mut)]
                let mut meta = serde_json::json!({
                    "version": $number,
                    "agentMethods": AGENT_METHOD_NAMES,
                    "clientMethods": CLIENT_METHOD_NAMES,
                    "protocolMethods": PROTOCOL_LEVEL_METHOD_NAMES,
                });
                #[cfg(feature = "proxy")]
                {
                    meta["proxyMethods"] = serde_json::json!(PROXY_METHOD_NAMES);
                }
                meta
            }
        }
    };
}

version!(v1, 1);
version!(v2, 2);

/// Returns the schema of a root type in the form in which upstream publishes it.
fn schema_of<Root: schemars::JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.untagged_enum_variant_titles = true;
    let mut booleans = ReplaceBoolSchemas::default();
    booleans.skip_additional_properties = true;
    let settings = settings.with_transform(RemoveRefSiblings::default()).with_transform(booleans);
    settings.into_generator().into_root_schema_for::<Root>().to_value()
}

fn main() {
    let v1 = json!({ "schema": schema_of::<v1::Root>(), "meta": v1::meta() });
    let v2 = json!({ "schema": schema_of::<v2::Root>(), "meta": v2::meta() });
    println!("{}", json!({ "v1": v1, "v2": v2 }));
}
