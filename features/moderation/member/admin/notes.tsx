import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { addNote, type Member } from '#member/contract.ts'
import css from '#member/admin/member.module.css'

export function Notes({ member }: { member: Member }) {
  const words = useWords('memberAdmin')
  return (
    <>
      <Form endpoint={addNote} extra={{ memberId: member.id }} onSuccess={() => undefined} resetsOnSuccess>
        <TextField name="text" label={words('note')} help={words('noteHelp')} maxLength={2000} />
        <Submit>{words('addNote')}</Submit>
      </Form>
      <ul className={css.rows}>
        {member.notes.map((note) => (
          <li key={note.id}>
            <p>{note.text}</p>
            <span className="meta">
              {note.by} · <Time at={note.at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
