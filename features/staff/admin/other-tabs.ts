const key = 'staffLeft'

/** Tells the administration in other tabs of this browser that its person has left. */
export function tellOfLeaving(): void {
  localStorage.setItem(key, new Date().toISOString())
}

/** What stands on a page whose person left in another tab is for nobody's eyes: it goes, and asks who is there. */
export function leaveWithOtherTabs(): void {
  addEventListener('storage', (event) => event.key === key && event.newValue && location.assign('/admin'))
}
