import { InvalidValue } from '#base/server/invalid-value.ts'

/**
 * What an address is for. The forum writes at the primary whatever an address says; a replica's address is for reads alone, and a direct
 * one leads past a pooler.
 */
export type AddressUse = 'primary' | 'replica' | 'direct'

/** A host by name, number or the folder of its socket. */
export type Place = { host: string; port: number }

const form = 'it must be the address of a PostgreSQL database, such as postgresql://user:password@host:5432/teahouse'

// What the driver and this program use of an address. Any other would be passed over in silence.
const usedParameters = new Set(
  (
    'host port user password target_session_attrs connect_timeout application_name options ssl sslmode sslcert sslkey sslrootcert ' +
    'sslnegotiation uselibpqcompat lock_timeout idle_in_transaction_session_timeout'
  ).split(' '),
)
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const sessionsOf: Record<AddressUse, string[]> = {
  primary: ['read-write', 'primary'],
  direct: ['read-write', 'primary'],
  replica: ['any', 'standby', 'prefer-standby', 'read-only'],
}

/**
 * An address in the one form that the program uses: a URL, in which several hosts stand as the parameters `host` and `port`. Hosts may be
 * written in either of libpq's forms. Throws for what would have no effect.
 */
export function readAddress(text: string, use: AddressUse): string {
  const parts = /^(postgres(?:ql)?:\/\/)([^\s/?#]*@)?([^\s/?#@]*)(\/[^\s/?#]+)(\?[^\s#]*)?$/.exec(text)
  if (!parts) throw new InvalidValue(form)
  const [, scheme = '', who = '', hosts = '', name = '', query = ''] = parts
  const isList = hosts.includes(',')
  // Socket addresses such as postgresql://user@/name?host=/run/postgresql name no host before the path.
  const whole = `${scheme}${who}${isList || hosts === '' ? 'localhost' : hosts}${name}${query}`
  if (!URL.canParse(whole)) throw new InvalidValue(form)
  const url = new URL(whole)
  if (isList && !url.searchParams.has('host')) listHosts(url, hosts)
  checkParameters(url.searchParams, use)
  const hadUser = moveUser(url)
  placesOf(url)
  return isList || hadUser ? url.href : whole
}

function listHosts(url: URL, hosts: string): void {
  const each = hosts.split(',').map((text) => /^(?:\[([0-9a-f:.]+)\]|([^[\]:]+))(?::(\d{1,5}))?$/i.exec(text))
  const places = each.map((found) => {
    if (!found) throw new InvalidValue(form)
    return { host: found[1] ?? decodeURIComponent(found[2] ?? ''), port: found[3] ?? '5432' }
  })
  url.searchParams.set('host', places.map(({ host }) => host).join(','))
  url.searchParams.set('port', places.map(({ port }) => port).join(','))
}

function checkParameters(parameters: URLSearchParams, use: AddressUse): void {
  const ownLimits = ['statement_timeout', 'query_timeout'].filter((name) => parameters.has(name))
  if (ownLimits.length > 0) throw new InvalidValue(`${ownLimits.join(' and ')} would have no effect: the forum sets its own limits`)
  const unused = [...new Set(parameters.keys())].filter((name) => !usedParameters.has(name))
  if (unused.length > 0) throw new InvalidValue(`${unused.join(' and ')} would have no effect. Leave it out`)
  const sslMode = parameters.get('sslmode')
  if (sslMode !== null && !sslModes.includes(sslMode)) throw new InvalidValue(`sslmode must be one of ${sslModes.join(', ')}`)
  const seconds = parameters.get('connect_timeout')
  if (seconds !== null && !/^[1-9]\d?$/.test(seconds)) throw new InvalidValue('connect_timeout must be 1 to 99 seconds')
  const sessions = parameters.get('target_session_attrs')
  if (sessions !== null && !sessionsOf[use].includes(sessions))
    throw new InvalidValue(
      use === 'replica'
        ? `target_session_attrs must be one of ${sessionsOf.replica.join(', ')}: a replica is read`
        : `target_session_attrs=${sessions} would have no effect: the forum writes, so it takes the primary. Leave it out, or say read-write`,
    )
}

// As parameters they would stand above the roles that the program works as.
function moveUser(url: URL): boolean {
  const [user, password] = [url.searchParams.get('user'), url.searchParams.get('password')]
  if (user === null && password === null) return false
  if (user !== null) url.username = encodeURIComponent(user)
  if (password !== null) url.password = encodeURIComponent(password)
  url.searchParams.delete('user')
  url.searchParams.delete('password')
  return true
}

/** The hosts of an address, in its order. */
export function placesOf(address: string | URL): Place[] {
  const { hostname, port, searchParams } = new URL(address)
  const hosts = (searchParams.get('host') ?? (decodeURIComponent(hostname) || 'localhost')).split(',')
  const ports = (searchParams.get('port') ?? port).split(',')
  if (ports.length !== 1 && ports.length !== hosts.length) throw new InvalidValue('it must name one port, or as many ports as hosts')
  return hosts.map((host, n) => {
    const number = Number(ports[ports.length === 1 ? 0 : n] || '5432')
    if (host === '' || !(number >= 1 && number <= 65_535)) throw new InvalidValue(form)
    return { host: host.replace(/^\[(.+)\]$/, '$1'), port: number }
  })
}

export function nameOf({ host, port }: Place): string {
  return host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`
}
