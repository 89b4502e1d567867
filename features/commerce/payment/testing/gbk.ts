/** Encodes text in GBK, which servers in China still use and Node only decodes. */
export function inGbk(text: string): Buffer {
  return Buffer.concat([...text].map((sign) => bytesOf(sign)))
}

const known = new Map<string, Buffer>()

function bytesOf(sign: string): Buffer {
  if (sign < '\u0080') return Buffer.from(sign)
  if (known.size === 0) readAll()
  const bytes = known.get(sign)
  if (!bytes) throw new Error(`${sign} is not in GBK`)
  return bytes
}

function readAll(): void {
  const decoder = new TextDecoder('gbk')
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const bytes = Buffer.of(lead, trail)
      const sign = decoder.decode(bytes)
      if (sign.length === 1 && sign !== '\ufffd' && !known.has(sign)) known.set(sign, bytes)
    }
}
