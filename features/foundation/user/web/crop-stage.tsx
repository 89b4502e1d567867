import { useEffect, useRef, type PointerEvent, type RefObject } from 'react'
import { moved, zoomFactor, zoomOf, zoomed, type Crop } from '#user/web/crop.ts'
import css from '#user/web/crop-dialog.module.css'

export type Loaded = { src: string; width: number; height: number }
/** Takes an updater: fingers and wheels send more than one change before the next frame. */
export type Choose = (change: (crop: Crop) => Crop) => void
type CropControls = { picture: Loaded; choose: Choose }
type Point = { x: number; y: number }

/** The picture behind a square window: drag to move, pinch or turn the wheel to zoom. */
export function CropStage({ picture, crop, choose }: CropControls & { crop: Crop }) {
  const dragging = useDragging({ picture, choose })
  const stage = useRef<HTMLDivElement>(null)
  useWheel(stage, { picture, choose })

  return (
    <div ref={stage} className={css.stage} {...dragging}>
      <Cropped picture={picture} crop={crop} />
      <span className={css.window} />
    </div>
  )
}

/** The cropped part, as large as its container. */
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

/** Zooms once per frame, by the sum of the wheel events until then. */
function useWheel(stage: RefObject<HTMLElement | null>, { picture, choose }: CropControls): void {
  useEffect(() => {
    const element = stage.current
    let by = 1
    let frame = 0
    function zoom(): void {
      const nearer = by
      by = 1
      frame = 0
      choose((crop) => zoomed(crop, zoomOf(crop, picture) * nearer, picture))
    }
    function turn(event: WheelEvent): void {
      event.preventDefault()
      by *= zoomFactor(event)
      frame ||= requestAnimationFrame(zoom)
    }
    // Scrolling of the page can only be prevented by a listener that is not passive.
    element?.addEventListener('wheel', turn, { passive: false })
    return () => {
      element?.removeEventListener('wheel', turn)
      cancelAnimationFrame(frame)
    }
  }, [stage, picture, choose])
}

function useDragging({ picture, choose }: CropControls) {
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
    const part = 1 / event.currentTarget.clientWidth / (other ? 2 : 1)
    choose((crop) => {
      const scale = crop.side * part
      const next = moved(crop, { x: (before.x - now.x) * scale, y: (before.y - now.y) * scale }, picture)
      return other ? zoomed(next, zoomOf(next, picture) * pinchRatio(other, before, now), picture) : next
    })
  }

  function letGo({ pointerId }: PointerEvent): void {
    fingers.current.delete(pointerId)
  }

  return { onPointerDown: hold, onPointerMove: drag, onPointerUp: letGo, onPointerCancel: letGo }
}

function pointOf({ clientX, clientY }: PointerEvent): Point {
  return { x: clientX, y: clientY }
}

function pinchRatio(other: Point, before: Point, now: Point): number {
  return distance(other, now) / Math.max(1, distance(other, before))
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
