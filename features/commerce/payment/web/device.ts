/** The properties of the device that determine the payment methods. */
export function deviceHere(): { isPhone: boolean; isInWeChat: boolean } {
  return {
    isPhone: matchMedia('(hover: none) and (pointer: coarse)').matches,
    isInWeChat: navigator.userAgent.includes('MicroMessenger'),
  }
}
