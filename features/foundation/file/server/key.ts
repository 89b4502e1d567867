import { createHmac, timingSafeEqual } from 'node:crypto'

/** A key that allows a session, of a member or of staff, to request one file for a limited time. Access is checked on each request. */
export type FileKey = { sessionId: string; until: Date }

/** Instead of a session: staff whose right was checked when the key was issued. */
export const keyOfStaff = '0'

const windowSeconds = 300

/** A key valid for five to ten minutes. It is constant within a time window, so that browsers can cache by address. */
export function keyFor(secret: Buffer, fileId: string, sessionId: string, now = new Date()): string {
  const until = (Math.floor(now.getTime() / 1000 / windowSeconds) + 2) * windowSeconds
  return `${sessionId}.${until.toString(36)}.${sign(secret, fileId, sessionId, until)}`
}

/** The content of a key, if it is authentic, for this file, and not expired. */
export function readKey(secret: Buffer, fileId: string, text: string, now = new Date()): FileKey | null {
  const [, sessionId = '', time = '', signature = ''] = /^(0|s?[1-9]\d{0,17})\.([0-9a-z]{1,8})\.([\w-]{43})$/.exec(text) ?? []
  const until = Number.parseInt(time, 36)
  const expected = Buffer.from(sign(secret, fileId, sessionId, until))
  const actual = Buffer.from(signature)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected) || until * 1000 <= now.getTime()) return null
  return { sessionId, until: new Date(until * 1000) }
}

function sign(secret: Buffer, fileId: string, sessionId: string, until: number): string {
  return createHmac('sha256', secret).update(`${fileId} ${sessionId} ${until}`).digest('base64url')
}
