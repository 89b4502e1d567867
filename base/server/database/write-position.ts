/** A position in the write-ahead log, as `pg_lsn` text. */
export type WritePosition = string

/** Whether the text has the form of a position that we issue. */
export function isWritePosition(text: string | undefined): text is WritePosition {
  return text !== undefined && /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/.test(text)
}

export function toNumber(position: WritePosition): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
