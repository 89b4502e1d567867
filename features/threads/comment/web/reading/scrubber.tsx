import { useEffect, useRef, useState, type ReactNode, type ToggleEvent } from 'react'
import { useApi } from '#base/web/api.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import type { timeline } from '#comment/reading-contract.ts'
import { useThread, type CommentList } from '#comment/web/thread-context.tsx'
import { dateAt, type FloorTime } from '#comment/web/reading/dates.ts'
import { commentAt } from '#comment/web/reading/mounted-lists.ts'
import css from '#comment/web/reading/scrubber.module.css'

/** The id of the panel, for the buttons that open it. */
export const floorsPanel = 'floors'

type Props = { list: CommentList; position: number | null; isReversed: boolean; jump: (floor: number) => void; menu: ReactNode }

/** The position among all comments, with navigation to any floor: a rail beside the text, or a button where it has no room. */
export function Scrubber({ list: { total }, position, isReversed, jump, menu }: Props) {
  const [selected, setSelected] = useState<number | null>(null)
  const at = selected ?? position ?? (isReversed ? total : 1)
  const { here, of, where, date } = useScrubberLabels(at, total, selected !== null)
  const day = useDay(at, isReversed)

  function go(floor: number | null): void {
    if (floor !== null && floor !== position) jump(Math.min(Math.max(1, floor), total))
    setSelected(null)
  }

  const range = { at, total, isReversed, label: where, text: date ? `${where}, ${date}` : where, want: setSelected }
  return (
    <>
      <div className={css.rail}>
        <p className={css.said}>
          <span>{here}</span>
          <span>{of}</span>
          {day && <time dateTime={day.at}>{day.said}</time>}
        </p>
        {date && (
          <p className={css.bubble}>
            {where}
            <span>{date}</span>
          </p>
        )}
        <Range {...range} className={css.upright} leave={() => go(selected)} />
        {menu}
      </div>
      <Panel begin={() => setSelected(at)} go={go} range={range} wanted={selected}>
        <div className={css.head}>
          <p className={css.said}>
            {where}
            {date && <span>{date}</span>}
          </p>
          {menu}
        </div>
      </Panel>
    </>
  )
}

type RangeProps = {
  at: number
  total: number
  isReversed: boolean
  label: string
  text: string
  className?: string | undefined
  want: (floor: number) => void
  leave: () => void
}

/** Navigates on release, on Enter, or when the focus leaves. */
function Range({ at, total, isReversed, text, className, want, leave }: RangeProps) {
  const words = useWords('comment')
  const turned = (value: number) => (isReversed ? total + 1 - value : value)
  return (
    <input
      type="range"
      min={1}
      max={total}
      value={turned(at)}
      className={className}
      aria-label={words('jumpToFloor')}
      aria-valuetext={text}
      onChange={(event) => want(turned(Number(event.currentTarget.value)))}
      onPointerUp={leave}
      onKeyDown={({ key }) => key === 'Enter' && leave()}
      onBlur={leave}
    />
  )
}

type PanelProps = {
  range: Omit<RangeProps, 'leave'>
  wanted: number | null
  begin: () => void
  go: (floor: number | null) => void
  children: ReactNode
}

function Panel({ range, wanted, begin, go, children }: PanelProps) {
  const words = useWords('comment')
  const panel = useRef<HTMLDivElement>(null)

  function leaveTo(floor: number | null): void {
    panel.current?.hidePopover()
    go(floor)
  }

  return (
    <>
      <button type="button" className={css.button} popoverTarget={floorsPanel} aria-label={`${words('jumpToFloor')}: ${range.label}`}>
        {range.label}
      </button>
      <div
        ref={panel}
        id={floorsPanel}
        popover="auto"
        className={css.panel}
        onToggle={({ newState }: ToggleEvent) => newState === 'open' && begin()}
      >
        {children}
        <Range {...range} leave={() => leaveTo(wanted)} />
        <FloorForm total={range.total} leaveTo={leaveTo} />
      </div>
    </>
  )
}

function FloorForm({ total, leaveTo }: { total: number; leaveTo: (floor: number) => void }) {
  const words = useWords('comment')
  const floor = { name: 'floor', type: 'number', min: 1, max: total, placeholder: words('floorNumber'), 'aria-label': words('floorNumber') }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        leaveTo(Number(new FormData(event.currentTarget).get('floor')))
      }}
    >
      <button type="button" className="button quiet" onClick={() => leaveTo(1)}>
        {words('toFirst')}
      </button>
      <input {...floor} required />
      <button type="submit" className="button">
        {words('goThere')}
      </button>
      <button type="button" className="button quiet" onClick={() => leaveTo(total)}>
        {words('toLast')}
      </button>
    </form>
  )
}

type ScrubberLabels = { here: string; of: string; where: string; /** While the handle is dragged. */ date: string | undefined }

function useScrubberLabels(at: number, total: number, isSeeking: boolean): ScrubberLabels {
  const words = useWords('comment')
  const language = useLanguage()
  const marks = useMarks(isSeeking)
  const number = new Intl.NumberFormat(language)
  const [here, of] = [number.format(at), number.format(total)]
  return {
    here,
    of,
    where: words('position', { at: here, total: of }),
    date: isSeeking && marks ? dateAt(marks, at)?.toLocaleDateString(language, { dateStyle: 'medium' }) : undefined,
  }
}

/** The date of the current comment in its shortest form. */
function useDay(position: number, isReversed: boolean): { at: string; said: string } | null {
  const language = useLanguage()
  const [thisYear] = useState(() => new Date(siteTime()).getFullYear())
  const at = commentAt(position, isReversed)?.publishedAt
  if (!at) return null
  const date = new Date(at)
  const day = date.toLocaleDateString(language, { month: 'short', day: 'numeric' })
  return { at, said: date.getFullYear() === thisYear ? day : `${date.getFullYear()}\n${day}` }
}

/** The dates of floors, loaded when the handle is dragged for the first time. */
function useMarks(isSeeking: boolean): readonly FloorTime[] | null {
  const api = useApi()
  const { topic } = useThread()
  const [marks, setMarks] = useState<readonly FloorTime[] | null>(null)
  const isMissing = isSeeking && marks === null
  useEffect(() => {
    if (!isMissing) return
    api
      .read<typeof timeline>('/comment/timeline', { topicId: topic.id }, { shared: true, silent: true })
      .then((come) => setMarks(come.marks))
      .catch((error: unknown) => console.info('When comments were written is not known', error))
  }, [isMissing, api, topic.id])
  return marks
}
