/** The parts of undici that send requests; its entry point would also load fetch, caches and mocks. */
declare module "undici/lib/api/api-connect.js" {
  const connect: import("undici").Dispatcher["connect"]
  export default connect
}
declare module "undici/lib/core/connect.js" {
  export { buildConnector as default } from "undici"
}
declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici"
}
declare module "undici/lib/dispatcher/proxy-agent.js" {
  export { ProxyAgent as default } from "undici"
}
