import { useEffect, useState } from 'react'
import { z } from 'zod'
import { write } from '#base/contract.ts'
import { SelectField, Field, Form, LabelledControl, PasswordField, Submit, TextField, useForm } from '#base/web/form.tsx'
import { addPlaces, Place } from '#base/web/places.tsx'

const fill = write('/tea/fill', {
  summary: 'Fills a pot.',
  input: z.object({
    topicId: z.string(),
    title: z.string().min(1).max(12),
    secret: z.string().min(7),
    cups: z.number().int().min(2),
    note: z.string(),
    leaf: z.enum(['green', 'black']),
    tags: z.array(z.string()).min(1),
    extras: z.array(z.string()).optional(),
    agrees: z.boolean().refine((agrees) => agrees, { params: { code: 'validation.required' } }),
    body: z.object({ text: z.string() }),
  }),
  output: z.object({ pots: z.number() }),
})

/** One field of each kind. */
export function AllFieldsForm() {
  const [result, setDone] = useState('')
  const [closed, setClosed] = useState(0)
  return (
    <>
      <Form
        endpoint={fill}
        extra={{ topicId: '42' }}
        onSuccess={({ pots }) => setDone(`${pots} pots`)}
        onAlertClose={() => setClosed((times) => times + 1)}
      >
        <Field name="title" label="Title" help="Up to twelve characters" autoComplete="off" />
        <PasswordField name="secret" label="Password" help="Seven characters or more" autoComplete="new-password" />
        <Field name="cups" label="Cups" type="number" />
        <TextField name="note" label="Note" />
        <SelectField name="leaf" label="Leaf" defaultValue="">
          <option value="">Choose one</option>
          <option value="green">Green</option>
          <option value="black">Black</option>
        </SelectField>
        <fieldset>
          <legend>Tags</legend>
          <Field name="tags" type="checkbox" value="quiet" label="Quiet" />
          <Field name="tags" type="checkbox" value="warm" label="Warm" />
        </fieldset>
        <Field name="extras" type="checkbox" value="biscuits" label="Biscuits" />
        <CustomControl />
        <Field name="agrees" type="checkbox" label="I have read the terms" />
        <input name="search" aria-label="Not of this form" />
        <Submit>Pour tea</Submit>
      </Form>
      <output id="done">{result}</output> <output id="closed">{closed}</output>
    </>
  )
}

const say = write('/tea/say', { summary: 'Says a word.', input: z.object({ word: z.string().min(1) }), output: z.object({}) })

/** A form that is submitted repeatedly. */
export function RepeatedForm() {
  return (
    <Form endpoint={say} onSuccess={() => undefined} resetsOnSuccess>
      <Field name="word" label="Word" required />
      <Submit>Say it</Submit>
    </Form>
  )
}

const publish = write('/tea/publish', {
  summary: 'Publishes a thread with a poll.',
  input: z.object({
    title: z.string().min(1),
    parts: z
      .strictObject({
        leaf: z.string().optional(),
        poll: z.object({ question: z.string().min(1), options: z.array(z.string()).min(2), days: z.number().optional() }).optional(),
      })
      .optional(),
  }),
  output: z.object({}),
})

declare module '#base/web/places.tsx' {
  interface Places {
    'gallery.belowPoll': { hasPoll: boolean }
  }
}

// Of two components at the place, the first fails with a poll.
addPlaces([
  {
    'gallery.belowPoll': ({ hasPoll }) => {
      if (hasPoll) throw new Error('The first of the place has failed')
      return <p>The first of the place</p>
    },
  },
  { 'gallery.belowPoll': () => <p>The second of the place</p> },
])

/** A form with the fields of a part, once they are asked for. */
export function PartsForm() {
  const [hasPoll, setPoll] = useState(false)
  return (
    <Form endpoint={publish} extra={hasPoll ? { parts: { leaf: 'green' } } : {}} onSuccess={() => undefined}>
      <Field name="title" label="Heading" />
      {hasPoll ? <PollFields /> : <Button text="Add a poll" run={() => setPoll(true)} />}
      <Place name="gallery.belowPoll" hasPoll={hasPoll} />
      <Submit>Publish</Submit>
    </Form>
  )
}

function PollFields() {
  const { setValue } = useForm()
  useEffect(() => setValue('parts.poll.days', 3), [setValue])
  return (
    <>
      <Field name="parts.poll.question" label="Question" />
      {['First', 'Second', 'Third'].map((label) => (
        <Field key={label} name="parts.poll.options" label={label} />
      ))}
    </>
  )
}

function Button({ text, run }: { text: string; run: () => void }) {
  return (
    <button type="button" onClick={run}>
      {text}
    </button>
  )
}

/** A control that is no form element, like an editor. */
function CustomControl() {
  const { setValue } = useForm()
  useEffect(() => setValue('body', { text: '茶' }), [setValue])
  return (
    <LabelledControl name="body" label="Body">
      {({ name, ...control }) => <div {...control} data-name={name} role="textbox" tabIndex={0} aria-label="Body" />}
    </LabelledControl>
  )
}
