/** Whether the screen is that of a phone, held upright or on its side: what one writes takes all of it then. */
export function isOnPhone(): boolean {
  return (
    document.documentElement.dataset['layout'] === 'phone' ||
    matchMedia('(max-width: 640px), (max-height: 520px) and (hover: none)').matches
  )
}
