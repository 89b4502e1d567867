import { CannotStart } from '#base/server/cannot-start.ts'

/** Where a database is. The password comes apart, so that it stands in no command or log. */
export type SourceAddress = { url: string; password: string }
type Server = 'MySQL' | 'PostgreSQL'

/** Whether a name of the catalogue can stand in quotation marks of any kind, and holds no placeholder of mysql2. */
export function quotesNothing(name: string): boolean {
  return name !== '' && !/[`"?\0]/.test(name)
}

type Place = { server: Server; user: string; database: string; at: string }

// By the codes of MySQL, of PostgreSQL, and of the system.
const sentences: Record<string, (place: Place) => string> = {
  ER_ACCESS_DENIED_ERROR: wrongPassword,
  '28P01': wrongPassword,
  '28000': wrongPassword,
  ER_BAD_DB_ERROR: unknownDatabase,
  '3D000': unknownDatabase,
  ER_DBACCESS_DENIED_ERROR: ({ server, user, database }) => `${server} does not let ${user} into ${database}. Grant it SELECT there.`,
  ER_TABLEACCESS_DENIED_ERROR: ({ server }) => `${server} does not let this user read a table. Grant it SELECT on the whole database.`,
  '42501': ({ server }) => `${server} does not let this user read a table. Grant it SELECT on all tables of the schema.`,
  ENOTFOUND: ({ at }) => `There is no host of the name in ${at}. See to the address.`,
  EAI_AGAIN: ({ at }) => `The name in ${at} cannot be looked up now. See to the address and to DNS.`,
}

const lostCodes = /^(PROTOCOL_CONNECTION_LOST|ECONNRESET|EPIPE|57P0[123]|08\w{3})$/

/** The sentence for the operator, or the error itself where it is none of the operator's doing. `url` is null once it is connected. */
export function connectionError(server: Server, url: string | null, error: unknown): unknown {
  const code = codeOf(error)
  const place = placeOf(server, url)
  const sentence = sentences[code]?.(place)
  if (sentence) return new CannotStart(sentence, { cause: error })
  if (url === null) return lostCodes.test(code) || isEnded(error) ? lost(server, error) : error
  const reason = error instanceof AggregateError && error.message === '' ? messageOf(error.errors[0]) : messageOf(error)
  return new CannotStart(`No ${server} answers at ${place.at} (${reason || code}). Start it, or see to the address.`, { cause: error })
}

/** Refuses an address with a password before any message repeats it, also one that cannot be parsed, whose password has a slash or the like. */
export function refusePassword(url: string): void {
  if (/^[a-z][\w+.-]*:\/\/[^@]*:[^@]+@/i.test(url) || /[?&]password=./i.test(url))
    throw new CannotStart('The address of the database holds a password. Leave it out, since others see addresses in lists and logs.')
}

/** The address without a password, which the operator gives apart. */
export function checkedUrl(url: string, protocols: readonly string[], example: string): URL {
  refusePassword(url)
  const address = URL.parse(url)
  if (!address || !protocols.includes(address.protocol)) throw new CannotStart(`${url} is no address of a database. Write ${example}.`)
  if (address.username === '' || address.pathname.length < 2) {
    throw new CannotStart(`${url} names no user or no database. Write ${example}.`)
  }
  return address
}

function wrongPassword({ server, user }: Place): string {
  return `${server} takes no such password from ${user}. See to the user and the password.`
}

function unknownDatabase({ server, database }: Place): string {
  return `${server} has no database called ${database}. See to the address.`
}

function lost(server: Server, error: unknown): CannotStart {
  return new CannotStart(`The connection to ${server} was lost. Begin again: what was imported stays, and is not imported twice.`, {
    cause: error,
  })
}

// mysql2 and pg have no code for a statement on a connection that ended before.
function isEnded(error: unknown): boolean {
  return /connection is in closed state|Connection terminated|not queryable/i.test(messageOf(error))
}

function placeOf(server: Server, url: string | null): Place {
  if (url === null) return { server, user: 'this user', database: 'it', at: 'the address' }
  const { hostname, port, username, pathname, searchParams } = new URL(url)
  const at = searchParams.get('socket') ?? searchParams.get('host') ?? (port ? `${hostname}:${port}` : hostname)
  return { server, user: decodeURIComponent(username), database: decodeURIComponent(pathname.slice(1)), at }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
