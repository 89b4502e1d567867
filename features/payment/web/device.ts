/** By what the ways to pay differ: whether it is held in the hand, and whether WeChat shows the page. */
export function deviceHere(): { isPhone: boolean; isInWeChat: boolean } {
  return {
    isPhone: matchMedia('(hover: none) and (pointer: coarse)').matches,
    isInWeChat: navigator.userAgent.includes('MicroMessenger'),
  }
}
