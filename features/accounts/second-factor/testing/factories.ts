import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { PasskeyAnswer, PasskeyRegistration } from '#second-factor/passkey-contract.ts'

type PasskeyChallenge = { challenge: string; site: string }

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

let authenticatorCount = 0

/** A software authenticator with one passkey, at this origin. */
export class Authenticator {
  readonly id = Buffer.from(`a device of a test, number ${++authenticatorCount}`).toString('base64url')
  readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  origin: string
  counter = 0
  isVerified = true

  constructor(origin: string) {
    this.origin = origin
  }

  make({ challenge, site }: PasskeyChallenge): PasskeyRegistration {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    )
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.from([id.length >> 8, id.length & 255])
    const authData = Buffer.concat([this.authenticatorData(site, 0x40), Buffer.alloc(16), length, id, key])
    const attestation = isoCBOR.encode(
      new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(authData)],
      ]),
    )
    return {
      id: this.id,
      clientDataJSON: this.client('webauthn.create', challenge),
      attestationObject: Buffer.from(attestation).toString('base64url'),
      transports: ['internal'],
    }
  }

  sign({ challenge, site }: PasskeyChallenge): PasskeyAnswer {
    this.counter++
    const authenticatorData = this.authenticatorData(site, 0)
    const clientDataJSON = this.client('webauthn.get', challenge)
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return {
      id: this.id,
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.keys.privateKey).toString('base64url'),
    }
  }

  private authenticatorData(site: string, more: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([sha256(site), Buffer.from([1 | (this.isVerified ? 4 : 0) | more]), counter])
  }

  private client(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false })).toString('base64url')
  }
}
