/** Whether the screen is that of a phone, in either orientation: forms are full screen there. */
export function isOnPhone(): boolean {
  return (
    document.documentElement.dataset['layout'] === 'phone' ||
    matchMedia('(max-width: 640px), (max-height: 520px) and (hover: none)').matches
  )
}
