declare module "pgpass" {
  interface Connection {
    host: string
    port: number
    user: string | undefined
    database: string | undefined
  }
  export default function pgpass(
    connection: Connection,
    callback: (password: string | undefined) => void,
  ): void
}
