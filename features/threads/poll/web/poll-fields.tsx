import { useState } from 'react'
import { Field, LabelledControl, SelectField, useForm } from '#base/web/form.tsx'
import type { FieldValues } from '#base/editor/stored-fields.ts'
import { useWords } from '#base/web/words.tsx'
import { fewestOptions, longest, resultRules } from '#poll/thread-part.ts'
import { OptionList, writtenOption } from '#poll/web/option-list.tsx'
import css from '#poll/web/poll-fields.module.css'

type Props = { /** The most options. */ most: number; first: FieldValues }

const optionsName = 'parts.poll.options'

/** A tick, and with it the fields of a poll that comes with a thread. */
export function PollFields({ most, first }: Props) {
  const words = useWords('poll')
  const [isWanted, want] = useState(Boolean(first['addPoll']))
  return (
    <fieldset className={css.fields} data-open={isWanted || undefined}>
      <Field
        name="addPoll"
        type="checkbox"
        label={words('addPoll')}
        defaultChecked={isWanted}
        onChange={({ target }) => want(target.checked)}
      />
      {isWanted && <WantedFields most={most} first={first} />}
    </fieldset>
  )
}

function WantedFields({ most, first }: Props) {
  const words = useWords('poll')
  const [options, set] = useState(() => firstOptions(first))
  return (
    <>
      <Field
        name="parts.poll.title"
        label={words('question')}
        maxLength={longest.title}
        autoComplete="off"
        defaultValue={first['parts.poll.title']}
      />
      <OptionList name={optionsName} options={options} set={(changed) => set([...changed])} most={most} />
      <div className={css.row}>
        <Field
          name="parts.poll.maxChoices"
          label={words('choices')}
          help={words('choicesHelp')}
          type="number"
          min={1}
          max={most}
          defaultValue={first['parts.poll.maxChoices'] || '1'}
        />
        <SelectField
          name="parts.poll.showsResults"
          label={words('resultsField')}
          defaultValue={first['parts.poll.showsResults'] || 'always'}
        >
          {resultRules.map((rule) => (
            <option key={rule} value={rule}>
              {words(ruleWords[rule])}
            </option>
          ))}
        </SelectField>
        <EndField first={first['pollEnds'] ?? ''} />
      </div>
      <Field
        name="parts.poll.isPublic"
        type="checkbox"
        label={words('publicField')}
        help={words('publicHelp')}
        defaultChecked={Boolean(first['parts.poll.isPublic'])}
      />
    </>
  )
}

const ruleWords = { always: 'resultsAlways', voted: 'resultsVoted', ended: 'resultsEnded' } as const
const endName = 'parts.poll.endsAt'

/** The end in the author's zone. The control has no zone, so the moment is sent by a field of its own. */
function EndField({ first }: { first: string }) {
  const words = useWords('poll')
  const { clearError } = useForm()
  const [typed, type] = useState(first)
  const moment = new Date(typed)

  function change(value: string): void {
    clearError(endName)
    type(value)
  }

  return (
    <LabelledControl name={endName} label={words('endsField')} help={words('endsHelp')}>
      {(control) => (
        <>
          <input {...control} name="pollEnds" type="datetime-local" value={typed} onChange={({ target }) => change(target.value)} />
          {!Number.isNaN(moment.getTime()) && <input type="hidden" name={endName} value={moment.toISOString()} />}
        </>
      )}
    </LabelledControl>
  )
}

function firstOptions(first: FieldValues) {
  const labels = first[optionsName]?.split('\n') ?? []
  const missing = Array.from({ length: Math.max(0, fewestOptions - labels.length) }, () => '')
  return [...labels, ...missing].map((label) => writtenOption(label))
}
