import { encodeReturnPath } from '#base/encode-return-path.ts'
import type { CallPort, SendOptions } from '#base/web/api.ts'
import { removePair } from '#base/web/token.ts'

/** Asked for by every page in the background. */
const unreadCountPath = '/user/control/unreadMessageCount'

/** Nobody waits for what this call gives, so it must not send a reader away. */
export function isInBackground({ path, options }: SendOptions): boolean {
  return path === unreadCountPath || options.background === true
}

/** Nobody is logged in here any more. */
export function forget(port: CallPort): void {
  removePair()
  port.signedOut()
}

/** To the login, and from there back to where one is. */
export function leaveToLogin(port: CallPort, { method }: SendOptions): void {
  if (!isAtLogin(port)) port.navigate(`/login?jumpUrl=${encodeReturnPath(port.here())}`, { replace: method === 'GET' })
}

/** To the login after the refresh was refused, whose address the specification has without a query. */
export function leaveRefused(port: CallPort): void {
  if (!isAtLogin(port)) port.navigate('/login', { replace: false })
}

function isAtLogin(port: CallPort): boolean {
  return /^\/login\/?([?#]|$)/i.test(port.here())
}
