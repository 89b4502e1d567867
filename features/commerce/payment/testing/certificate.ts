import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

export type Certified = { serial: string; certificate: string; key: KeyObject }

// Node reads certificates but does not create them, so this builds a self-signed X.509 certificate.
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const size = body.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const [integer, bits, text, time, sequence, set, version] = [0x02, 0x03, 0x0c, 0x18, 0x30, 0x31, 0xa0]
const commonName = Buffer.from('0603550403', 'hex')
const sha256WithRsa = der(sequence, Buffer.from('06092a864886f70d01010b0500', 'hex'))

const nameOf = (name: string) => der(sequence, der(set, der(sequence, commonName, der(text, Buffer.from(name)))))
const momentOf = (at: Date) => der(time, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`))

const day = 86_400_000
let lastSerial = 0

/** A key and its certificate, valid from yesterday for a year by default. */
export function aCertificate(name: string, { from = -1, until = 365 }: { from?: number; until?: number } = {}): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const serial = `5157F09EFDC096DE15EBE81A47057A${String(++lastSerial).padStart(10, '0')}`
  const [begins, ends] = [from, until].map((days) => momentOf(new Date(Date.now() + days * day)))
  const facts = der(
    sequence,
    der(version, der(integer, Buffer.from([2]))),
    der(integer, Buffer.from(serial, 'hex')),
    sha256WithRsa,
    nameOf(name),
    der(sequence, begins ?? momentOf(new Date()), ends ?? momentOf(new Date())),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const whole = der(sequence, facts, sha256WithRsa, der(bits, Buffer.from([0]), sign('sha256', facts, privateKey)))
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n')
  return { serial, certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`, key: privateKey }
}
