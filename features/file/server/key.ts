import { createHmac, timingSafeEqual } from 'node:crypto'

/** Says that whoever is logged in by a session, of a member or of staff, may ask for one file for a while. Whether they may see it is found out each time. */
export type Key = { sessionId: string; until: Date }

/** In place of a session: staff whose right was asked for when the key was given. */
export const keyOfStaff = '0'

const windowSeconds = 300

/** A key that lives five to ten minutes. The same one for the same window, so that a browser keeps what it has. */
export function keyFor(secret: Buffer, fileId: string, sessionId: string, now = new Date()): string {
  const until = (Math.floor(now.getTime() / 1000 / windowSeconds) + 2) * windowSeconds
  return `${sessionId}.${until.toString(36)}.${sign(secret, fileId, sessionId, until)}`
}

/** What a key says, if it is ours, for this file, and still alive. */
export function readKey(secret: Buffer, fileId: string, text: string, now = new Date()): Key | null {
  const [, sessionId = '', time = '', signature = ''] = /^(0|s?[1-9]\d{0,17})\.([0-9a-z]{1,8})\.([\w-]{43})$/.exec(text) ?? []
  const until = Number.parseInt(time, 36)
  const right = Buffer.from(sign(secret, fileId, sessionId, until))
  const said = Buffer.from(signature)
  if (said.length !== right.length || !timingSafeEqual(said, right) || until * 1000 <= now.getTime()) return null
  return { sessionId, until: new Date(until * 1000) }
}

function sign(secret: Buffer, fileId: string, sessionId: string, until: number): string {
  return createHmac('sha256', secret).update(`${fileId} ${sessionId} ${until}`).digest('base64url')
}
