import { encodeReturnPath } from '#base/encode-return-path.ts'
import type { CallPort, SendOptions } from '#base/web/api.ts'
import { removePair } from '#base/web/token.ts'

/** Every page makes this call in the background. */
const unreadCountPath = '/user/control/unreadMessageCount'

/** A background call must not send the reader to the login. */
export function isInBackground({ path, options }: SendOptions): boolean {
  return path === unreadCountPath || options.background === true
}

/** Clears the session on this device. */
export function clearSession(port: CallPort): void {
  removePair()
  port.onSignedOut()
}

/** Goes to the login, which returns to this page. */
export function redirectToLogin(port: CallPort, { method }: SendOptions): void {
  if (!isAtLogin(port)) port.navigate(`/login?jumpUrl=${encodeReturnPath(port.currentPath())}`, { replace: method === 'GET' })
}

/** Goes to the login after a refused refresh, whose address has no query in the specification. */
export function redirectAfterRefusal(port: CallPort): void {
  if (!isAtLogin(port)) port.navigate('/login', { replace: false })
}

function isAtLogin(port: CallPort): boolean {
  return /^\/login\/?([?#]|$)/i.test(port.currentPath())
}
