import { useEffect, useRef, type RefObject } from 'react'
import { maxLengthFor } from '#base/characters.ts'
import { useForm } from '#base/web/form.tsx'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import { fewestOptions, longest } from '#poll/thread-part.ts'
import css from '#poll/web/option-list.module.css'

/** An option that is being written. Its key stays when it changes its place. */
export type WrittenOption = { key: number; label: string; id?: string; /** It has votes. */ isFixed?: boolean }

type Props = {
  /** The name of all its text fields. */
  name: string
  options: readonly WrittenOption[]
  set: (options: readonly WrittenOption[]) => void
  most: number
}

let lastKey = 0

export function writtenOption(label: string, more: Omit<WrittenOption, 'key' | 'label'> = {}): WrittenOption {
  return { key: ++lastKey, label, ...more }
}

/** The options of a poll, to be written, added, removed and put in order. */
export function OptionList({ name, options, set, most }: Props) {
  const words = useWords('poll')
  const { errors } = useForm()
  const { list, add, remove, move } = useChanges({ name, options, set })
  const wrong = errors[name]
  return (
    <div className="field" role="group" aria-labelledby={`${name} label`} aria-describedby={`${name} help`}>
      <p id={`${name} label`} className={css.title}>
        {words('options')}
      </p>
      <ol ref={list} className={css.list}>
        {options.map((option, index) => (
          <li key={option.key}>
            <OptionField
              name={name}
              option={option}
              number={index + 1}
              type={(label) => set(options.map((one) => (one === option ? { ...one, label } : one)))}
            />
            <Buttons option={option} number={index + 1} of={options.length} move={(to) => move(index, to)} remove={() => remove(index)} />
          </li>
        ))}
      </ol>
      {options.length < most && (
        <button type="button" className="plain" onClick={add}>
          <Icon name="plus" size={18} /> {words('addOption')}
        </button>
      )}
      <p id={`${name} help`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? words('optionsHelp', { most })}
      </p>
    </div>
  )
}

function useChanges({ name, options, set }: Omit<Props, 'most'>) {
  const { clearError } = useForm()
  const { list, focus } = useFocusIn(options)

  function replace(changed: readonly WrittenOption[], focused: string): void {
    clearError(name)
    focus(focused)
    set(changed)
  }

  function add(): void {
    const added = writtenOption('')
    replace([...options, added], `text ${added.key}`)
  }

  function remove(index: number): void {
    const next = options[index + 1] ?? options[index - 1]
    replace(options.toSpliced(index, 1), `text ${next?.key}`)
  }

  function move(from: number, to: number): void {
    const [moved] = options.slice(from, from + 1)
    if (!moved) return
    // At either end the pressed button is disabled.
    const isAtEnd = to === 0 || to === options.length - 1
    const focused = isAtEnd ? 'text' : to < from ? 'up' : 'down'
    replace(options.toSpliced(from, 1).toSpliced(to, 0, moved), `${focused} ${moved.key}`)
  }

  return { list, add, remove, move }
}

type FieldProps = { name: string; option: WrittenOption; number: number; type: (label: string) => void }

function OptionField({ name, option: { key, label, isFixed }, number, type }: FieldProps) {
  const words = useWords('poll')
  const { errors } = useForm()
  return (
    <input
      name={name}
      value={label}
      aria-label={words('option', { number })}
      aria-invalid={errors[name] ? true : undefined}
      placeholder={words('option', { number })}
      maxLength={maxLengthFor(longest.option)}
      autoComplete="off"
      readOnly={isFixed}
      title={isFixed ? words('hasVotes') : undefined}
      data-focus={`text ${key}`}
      onChange={({ target }) => type(target.value)}
    />
  )
}

type ButtonsProps = { option: WrittenOption; number: number; of: number; move: (to: number) => void; remove: () => void }

function Buttons({ option: { key, isFixed }, number, of, move, remove }: ButtonsProps) {
  const words = useWords('poll')
  return (
    <>
      <button
        type="button"
        className="icon"
        aria-label={words('moveUp', { number })}
        disabled={number === 1}
        data-focus={`up ${key}`}
        onClick={() => move(number - 2)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        className="icon"
        aria-label={words('moveDown', { number })}
        disabled={number === of}
        data-focus={`down ${key}`}
        onClick={() => move(number)}
      >
        <Icon name="down" />
      </button>
      <button
        type="button"
        className="icon"
        aria-label={words('removeOption', { number })}
        disabled={isFixed || of <= fewestOptions}
        onClick={remove}
      >
        <Icon name="bin" />
      </button>
    </>
  )
}

/** Focuses what was asked for once the changed list is rendered, and tells the form, which stores drafts, of the change. */
function useFocusIn(options: readonly WrittenOption[]): { list: RefObject<HTMLOListElement | null>; focus: (target: string) => void } {
  const list = useRef<HTMLOListElement>(null)
  const wanted = useRef('')
  useEffect(() => {
    if (!wanted.current) return
    list.current?.querySelector<HTMLElement>(`[data-focus="${wanted.current}"]`)?.focus()
    wanted.current = ''
    list.current?.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [options])
  return { list, focus: (target) => void (wanted.current = target) }
}
