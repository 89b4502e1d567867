import { sql, type RawBuilder } from 'kysely'

/** An address of the old kind as it is, however it arrived. */
export function plainIp(ip: string): string {
  return ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip
}

/** The condition that an address lies in a network, as `10.0.0.0/8`, or is this one; in a form that an index answers. */
export function inNetwork(column: string, network: string): RawBuilder<boolean> {
  const given = sql`${network}::inet`
  const last = sql`set_masklen(broadcast(${given}), case family(${given}) when 6 then 128 else 32 end)`
  return sql`(${sql.ref(column)} >= network(${given})::inet and ${sql.ref(column)} <= ${last})`
}

/** What belongs to whoever has this address: of the new kind, all that begin as it does. */
export function networkAround(ip: string): string {
  const plain = plainIp(ip)
  return plain.includes(':') ? `${plain}/64` : plain
}
