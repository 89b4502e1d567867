const key = 'staffLeft'

/** Tells the administration in other tabs of this browser about a logout. */
export function broadcastLogout(): void {
  localStorage.setItem(key, new Date().toISOString())
}

/** After a logout in another tab, the page must not stay visible: it reloads and asks for a login. */
export function followLogout(): void {
  addEventListener('storage', (event) => event.key === key && event.newValue && location.assign('/admin'))
}
