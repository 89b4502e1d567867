import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLater } from '#base/web/lazy-part.ts'

const names = '#content article a[href^="/user/control/home?userId="]'
const hoverMs = 450
const leaveMs = 250

/** Shows a member's card when the mouse or the keyboard rests on a name, or a finger presses it long. A tap follows the link. */
export function NameCard() {
  const [link, show] = useState<HTMLAnchorElement | null>(null)
  const card = useLater(
    () => import('#apps/web/member-card.tsx'),
    link !== null,
    () => show(null),
  )
  const hold = useNames(link, show)
  if (!link || !card) return null
  return <card.MemberCard key={link.href} link={link} hold={hold} close={() => show(null)} />
}

/** The name whose card is shown. The result keeps the card open while the pointer is on it. */
function useNames(current: HTMLAnchorElement | null, show: (link: HTMLAnchorElement | null) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isHeld = useRef(false)
  function later(link: HTMLAnchorElement | null, ms: number): void {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      isHeld.current = link !== null
      show(link)
    }, ms)
  }
  const come = useEffectEvent((event: Event) => {
    const link = nameAt(event)
    if (event.type === 'pointerdown') isHeld.current = false
    if (link && link !== current) later(link, hoverMs)
  })
  const go = useEffectEvent((event: Event) => nameAt(event) && later(null, leaveMs))
  const still = useEffectEvent(() => clearTimeout(timer.current))
  // A long press neither follows the link nor opens the browser's menu.
  const hinder = useEffectEvent((event: Event) => nameAt(event) && isHeld.current && event.preventDefault())
  useEffect(() => {
    const left = new AbortController()
    function hear(types: string[], isMeant: (event: Event) => boolean, does: (event: Event) => unknown): void {
      for (const type of types)
        document.addEventListener(type, (event) => isMeant(event) && does(event), { signal: left.signal, capture: true })
    }
    hear(['pointerdown'], isTouch, come)
    hear(['pointermove', 'focusin'], (event) => !isTouch(event) && (event.type !== 'focusin' || isByKeyboard(event)), come)
    hear(['pointerout', 'focusout'], (event) => !isTouch(event), go)
    hear(['pointerup', 'pointercancel'], isTouch, still)
    hear(['scroll'], () => true, still)
    hear(['click', 'contextmenu'], isTouch, hinder)
    return () => {
      left.abort()
      still()
    }
  }, [])
  return { stay: () => clearTimeout(timer.current), leave: () => later(null, leaveMs) }
}

function nameAt({ target }: Event): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>(names) : null
}

function isTouch(event: Event): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch'
}

function isByKeyboard({ target }: Event): boolean {
  return target instanceof Element && target.matches(':focus-visible')
}
