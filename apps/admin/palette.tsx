import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { useBothLanguages } from '#apps/admin/all-words.ts'
import { finders, type FinderResult } from '#apps/admin/finders.ts'
import { screensFor } from '#apps/admin/screens-for.ts'
import { useApi } from '#base/web/api.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { storeOf } from '#base/web/store.ts'
import { useSay, useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#apps/admin/palette.module.css'

export const paletteIsOpen = storeOf(false)

const pauseMs = 150

/** The command palette (Ctrl+K): finds screens, and things of features by name. */
export function Palette() {
  const words = useWords('admin')
  const isOpen = paletteIsOpen.use()
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      paletteIsOpen.set(!paletteIsOpen.get())
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <Dialog title={words('findTitle')} hangs isOpen={isOpen} close={() => paletteIsOpen.set(false)}>
      <Finding />
    </Dialog>
  )
}

function Finding() {
  const words = useWords('admin')
  const go = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const parts = useFound(typed.trim())
  const all = parts.flatMap(({ found }) => found)
  const chosen = all[Math.min(at, all.length - 1)]

  function open({ to }: FinderResult): void {
    paletteIsOpen.set(false)
    void go(to)
  }

  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || all.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((Math.min(at, all.length - 1) + step + all.length) % all.length)
    else if (event.key === 'Enter' && chosen) open(chosen)
    else return
    event.preventDefault()
  }

  return (
    <>
      <input
        type="search"
        role="combobox"
        aria-label={words('findTitle')}
        aria-expanded={chosen !== undefined}
        aria-controls={id}
        aria-activedescendant={chosen && optionId(id, chosen)}
        autoComplete="off"
        data-first
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <Offered id={id} parts={parts} chosen={chosen} />
    </>
  )
}

type OfferedProps = { id: string; parts: readonly Part[]; chosen: FinderResult | undefined }

function Offered({ id, parts, chosen }: OfferedProps) {
  const words = useWords('admin')
  return (
    <>
      <div id={id} role="listbox" aria-label={words('findTitle')} className={css.found}>
        {parts.map(({ title, found }) => (
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden="true">{title}</p>
            {found.map((one) => (
              <a
                key={one.to}
                id={optionId(id, one)}
                href={one.to}
                role="option"
                aria-selected={one === chosen}
                tabIndex={-1}
                onClick={() => paletteIsOpen.set(false)}
              >
                <bdi>{one.name}</bdi> {one.hint && <span>{one.hint}</span>}
              </a>
            ))}
          </div>
        ))}
      </div>
      {parts.length === 0 && (
        <p role="status" className="meta">
          {words('nothingFound')}
        </p>
      )}
    </>
  )
}

// An id may not contain spaces.
function optionId(id: string, { to }: FinderResult): string {
  return `${id}-${encodeURIComponent(to)}`
}

type Part = { title: string; found: FinderResult[] }

function useFound(typed: string): Part[] {
  const say = useSay()
  const says = useBothLanguages()
  const api = useApi()
  const [others, setOthers] = useState<{ typed: string; parts: Part[] }>({ typed: '', parts: [] })
  useEffect(() => {
    if (!typed) return undefined
    const left = new AbortController()
    async function ask(): Promise<void> {
      const mine = finders.filter(({ right }) => mayDo(right))
      const parts = await Promise.all(mine.map(async ({ title, find }) => ({ title: say(title), found: await find(typed, api, says) })))
      if (!left.signal.aborted) setOthers({ typed, parts })
    }
    const timer = setTimeout(() => void ask().catch((error: unknown) => console.info('Not everything could be found', error)), pauseMs)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [api, say, says, typed])
  const near = screensFor(typed, says)
    .filter(({ right }) => mayDo(right))
    .map(({ path, title, begins = '' }) => ({ name: say(title), to: path + begins }))
  const parts = [{ title: say('admin.screens'), found: near }, ...(others.typed === typed ? others.parts : [])]
  return parts.filter(({ found }) => found.length > 0)
}
