import { useRef, type PointerEvent } from 'react'
import { moved, nearness, zoomed, type Crop } from '#user/web/crop.ts'
import css from '#user/web/crop-dialog.module.css'

export type Loaded = { src: string; width: number; height: number }
type Choosing = { picture: Loaded; crop: Crop; choose: (crop: Crop) => void }
type Point = { x: number; y: number }

/** The picture behind a square window: drag to move, pinch or turn the wheel to come nearer. */
export function CropStage({ picture, crop, choose }: Choosing) {
  const dragging = useDragging({ picture, crop, choose })

  // The page must not scroll meanwhile, which only a listener that is not passive can prevent.
  function listenToWheel(stage: HTMLElement | null): (() => void) | undefined {
    function turn(event: WheelEvent): void {
      event.preventDefault()
      choose(zoomed(crop, nearness(crop, picture) * Math.exp(-event.deltaY / 400), picture))
    }
    stage?.addEventListener('wheel', turn, { passive: false })
    return () => stage?.removeEventListener('wheel', turn)
  }

  return (
    <div ref={listenToWheel} className={css.stage} {...dragging}>
      <Cropped picture={picture} crop={crop} />
      <span className={css.window} />
    </div>
  )
}

/** The chosen part, as large as what it stands in. */
export function Cropped({ picture, crop }: { picture: Loaded; crop: Crop }) {
  const part = (pixels: number) => `${(pixels / crop.side) * 100}%`
  return (
    <img
      src={picture.src}
      alt=""
      draggable={false}
      style={{ width: part(picture.width), height: part(picture.height), left: part(-crop.x), top: part(-crop.y) }}
    />
  )
}

function useDragging({ picture, crop, choose }: Choosing) {
  const fingers = useRef(new Map<number, Point>())

  function hold(event: PointerEvent<HTMLElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, pointOf(event))
  }

  function drag(event: PointerEvent<HTMLElement>): void {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const now = pointOf(event)
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, now)
    // With two fingers the middle between them moves half as far as the one that moves.
    const scale = crop.side / event.currentTarget.clientWidth / (other ? 2 : 1)
    const next = moved(crop, { x: (before.x - now.x) * scale, y: (before.y - now.y) * scale }, picture)
    choose(other ? zoomed(next, nearness(next, picture) * spread(other, before, now), picture) : next)
  }

  function letGo({ pointerId }: PointerEvent): void {
    fingers.current.delete(pointerId)
  }

  return { onPointerDown: hold, onPointerMove: drag, onPointerUp: letGo, onPointerCancel: letGo }
}

function pointOf({ clientX, clientY }: PointerEvent): Point {
  return { x: clientX, y: clientY }
}

// How much further apart two fingers are than before.
function spread(other: Point, before: Point, now: Point): number {
  return distance(other, now) / Math.max(1, distance(other, before))
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
