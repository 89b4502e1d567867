import { useEffect, useId, useRef, useState } from 'react'
import { useForm } from '#base/web/form.tsx'
import { Icon } from '#base/web/icon.tsx'
import type { Output } from '#base/contract.ts'
import { useSuggestible } from '#base/web/suggestible.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { listTags } from '#tag/contract.ts'
import { TagBox } from '#tag/web/tag-box.tsx'
import type { TagOption } from '#tag/web/tag-matching.ts'
import css from '#tag/web/tag-field.module.css'

type Tags = Output<typeof listTags>['tags']

/** The available tags, the most a thread may have, and its present ones, the primary first. */
export type TagChoice = {
  tags: Tags
  most: number
  first?: readonly string[]
  /** The primary tag cannot be changed. */
  isPlaceFixed?: boolean
}

/** The field for the tags of a thread, with autocompletion. The first is the primary one, which decides visibility. */
export function TagField({ tags, most, first = [], isPlaceFixed = false }: TagChoice) {
  const words = useWords('tag')
  const options = optionsIn(tags, useLanguage())
  const [chosen, setChosen] = useState(first.filter((id) => options.some((option) => option.id === id)).slice(0, Math.max(most, 1)))
  const { errors, addSuggestible } = useForm()
  const wrong = [errors['tagId'], errors['tagIds']].filter(Boolean).join('\n')
  const room = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useFormEvents(room, chosen)
  const fixed = isPlaceFixed ? 1 : 0
  useSuggestible(addSuggestible, 'tagId', {
    labelOf: (one) => options.find((option) => option.id === one)?.name ?? null,
    take: (one) => setChosen(withSuggested(chosen, one, most, fixed)),
  })

  function add(one: string): void {
    setChosen(most <= 1 && fixed === 0 ? [one] : [...chosen, one])
  }
  function remove(one: string): void {
    setChosen(chosen.filter((other) => other !== one))
    input.current?.focus()
  }
  const box = { id, input, options, chosen, most, add, removeLast: () => chosen.length > fixed && setChosen(chosen.slice(0, -1)) }
  return (
    <div ref={room} className="field">
      <label htmlFor={id}>{words('tag')}</label>
      <FormValues label={words('tag')} options={options} chosen={chosen} most={most} choose={(ids) => setChosen(ids.filter(Boolean))} />
      <div className={css.box} data-invalid={wrong !== '' || undefined}>
        {chosen.length > 0 && (
          <ul aria-label={words('chosen')} className={css.chips}>
            {chosen.map((one, at) => (
              <Chip
                key={one}
                name={options.find((option) => option.id === one)?.name ?? ''}
                isPlace={at === 0 && chosen.length > 1}
                lead={at > 0 && fixed === 0 ? () => setChosen([one, ...chosen.filter((other) => other !== one)]) : undefined}
                remove={at >= fixed ? () => remove(one) : undefined}
              />
            ))}
          </ul>
        )}
        <TagBox {...box} isWrong={wrong !== ''} />
      </div>
      <p id={`${id}-help`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong || words('help', { most })}
      </p>
    </div>
  )
}

/** The first tag replaces the main one where a thread has no other; further ones are added while there is room. */
function withSuggested(chosen: readonly string[], one: string, most: number, fixed: number): string[] {
  const [place, ...further] = chosen
  if (place === undefined || (most === 1 && fixed === 0)) return [one, ...further]
  return chosen.includes(one) || chosen.length >= most ? [...chosen] : [...chosen, one]
}

type FormValuesProps = {
  label: string
  options: readonly TagOption[]
  chosen: readonly string[]
  most: number
  choose: (chosen: string[]) => void
}

/** The submitted values in native form elements, where autofill and drafts find them. */
function FormValues({ label, options, chosen: [place = '', ...further], most, choose }: FormValuesProps) {
  return (
    <div hidden>
      <select
        aria-label={label}
        name="tagId"
        value={place}
        onChange={({ target }) => choose([target.value, ...further.filter((id) => id !== target.value)])}
      >
        <option value="">{label}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {most > 1 &&
        options.map(({ id, name }) => (
          <input
            key={id}
            type="checkbox"
            aria-label={name}
            name="tagIds"
            value={id}
            checked={further.includes(id)}
            onChange={({ target }) => {
              const others = further.filter((one) => one !== id)
              choose([place, ...(target.checked && others.length < most - 1 ? [...others, id] : others)])
            }}
          />
        ))}
    </div>
  )
}

// Forms save fields, and clear their errors, on input events.
function useFormEvents(room: { current: HTMLElement | null }, chosen: readonly string[]): void {
  const lastChosen = useRef(chosen)
  useEffect(() => {
    if (lastChosen.current === chosen) return
    lastChosen.current = chosen
    const [place, tick] = [room.current?.querySelector('select'), room.current?.querySelector('input[type="checkbox"]')]
    for (const field of [place, tick]) field?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [room, chosen])
}

type ChipProps = { name: string; isPlace: boolean; lead: (() => void) | undefined; remove: (() => void) | undefined }

function Chip({ name, isPlace, lead, remove }: ChipProps) {
  const words = useWords('tag')
  return (
    <li className={css.chip} data-place={isPlace || undefined}>
      {isPlace && <span className={css.main}>{words('main')}</span>}
      {lead ? (
        <button
          type="button"
          className={css.name}
          aria-label={words('lead', { tag: name })}
          title={words('lead', { tag: name })}
          onClick={lead}
        >
          <bdi>{name}</bdi>
        </button>
      ) : (
        <bdi className={css.name}>{name}</bdi>
      )}
      {remove && (
        <button type="button" className={css.remove} aria-label={words('remove', { tag: name })} onClick={remove}>
          <Icon name="close" size={14} />
        </button>
      )}
    </li>
  )
}

/** Only tags without subtags are options. */
function optionsIn(tags: Tags, language: 'zh' | 'en'): TagOption[] {
  return tags.flatMap((tag) => {
    const of = ({ id, name, key }: Tags[number]['children'][number], above: string) => ({
      id,
      name: name[language],
      above,
      names: [name.zh, name.en, key],
    })
    return tag.children.length > 0 ? tag.children.map((child) => of(child, tag.name[language])) : [of(tag, '')]
  })
}
