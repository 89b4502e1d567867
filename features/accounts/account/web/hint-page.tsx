import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { setMyHint, type myHint } from '#account/recover-contract.ts'
import type { Output } from '#base/contract.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

/** The member's own question, whose answer later proves ownership of the account. */
export function Page() {
  const words = useWords('account')
  const { question, isAsked } = useLoaderData<Output<typeof myHint>>()
  const [times, setTimes] = useState(0)
  return (
    <section className="column">
      <p className="meta">{words('hintWhat')}</p>
      {!isAsked && <p className="note">{words('hintNotAsked')}</p>}
      <p>{question === null ? words('hintNone') : words('hintNow', { question })}</p>
      <Form
        key={times}
        endpoint={setMyHint}
        onSuccess={() => {
          toast(words('hintSet'))
          setTimes(times + 1)
        }}
      >
        <Field name="hintQuestion" label={words('hintQuestion')} help={words('hintHelp')} maxLength={100} autoComplete="off" />
        <Field name="hintAnswer" label={words('hintAnswer')} help={words('hintAnswerHelp')} maxLength={100} autoComplete="off" />
        <Submit>{words('setHint')}</Submit>
      </Form>
    </section>
  )
}
