import { useState } from 'react'
import { useLoaderData, useLocation } from 'react-router'
import type { Output } from '#base/contract.ts'
import { decodeReturnPath } from '#base/return-path.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { SelectField, Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { CannotSend, paths } from '#contact/web/contact.tsx'
import { checkRealName, type realName, type withdrawRealName } from '#real-name/contract.ts'
import css from '#real-name/web/real-name-page.module.css'

type RealNameData = Output<typeof realName>

const requirementWords = { nobody: 'askedNobody', phone: 'askedPhone', identity: 'askedIdentity' } as const

/** The member's verification: the bound phone, and the checked name and number. */
export function Page() {
  const words = useWords('realName')
  const { search } = useLocation()
  const { asked, mayPost, phone, canBind, checked, documents } = useLoaderData<RealNameData>()
  const jumpUrl = new URLSearchParams(search).get('jumpUrl')
  return (
    <section className="column">
      <p>
        {words(requirementWords[asked])} {asked !== 'nobody' && <strong>{words(mayPost ? 'mayPost' : 'mayNotPost')}</strong>}
      </p>
      {jumpUrl && mayPost && (
        <p>
          <Link to={decodeReturnPath(jumpUrl)} className="button">
            {words('goBack')}
          </Link>
        </p>
      )}
      {(canBind || phone !== null || asked === 'phone') && (
        <>
          <h2>{words('phone')}</h2>
          <p className={css.line}>
            <span>{phone ?? words('noPhone')}</span>
            {canBind && <PhoneStep isBound={phone !== null} search={search} />}
          </p>
          {!canBind && <CannotSend kind="phone" />}
        </>
      )}
      <h2>{words('identity')}</h2>
      {checked ? (
        <VerifiedStep checked={checked} />
      ) : documents.length > 0 ? (
        <CheckForm documents={documents} />
      ) : (
        <p>{words('notOfferedHere')}</p>
      )}
    </section>
  )
}

function PhoneStep({ isBound, search }: { isBound: boolean; search: string }) {
  const words = useWords('contact')
  const { stepOne, binding } = paths.phone
  const what = words('phone')
  return (
    <Link to={isBound ? stepOne : binding + search} className="button quiet" aria-label={words(isBound ? 'changeOf' : 'bindOf', { what })}>
      {words(isBound ? 'change' : 'bind')}
    </Link>
  )
}

function VerifiedStep({ checked }: { checked: NonNullable<RealNameData['checked']> }) {
  const words = useWords('realName')
  const withdrawing = useAction<typeof withdrawRealName>('/user/control/realNameAuthentication/withdraw')

  async function withdraw(): Promise<void> {
    if (!(await confirm(words('withdrawAsk'), words('withdraw')))) return
    await withdrawing.run({}, { message: words('withdrawn') })
  }

  return (
    <>
      <p>
        {words('checked')} · {words(checked.document)} · <bdi>{checked.name}</bdi> · {checked.number}
      </p>
      <p className="meta">
        {words('checkedAt')} <Time at={checked.checkedAt} />
      </p>
      {checked.isMinor && <p className="note">{words('minor')}</p>}
      <button type="button" className="button quiet" disabled={withdrawing.isBusy} onClick={() => void withdraw()}>
        {words('withdraw')}
      </button>
    </>
  )
}

function CheckForm({ documents }: Pick<RealNameData, 'documents'>) {
  const words = useWords('realName')
  const [chosen, choose] = useState(documents[0])
  return (
    <>
      <p className="meta">{words('identityWhat')}</p>
      <Form endpoint={checkRealName} onSuccess={() => void toast(words('checked'))}>
        <SelectField
          name="document"
          label={words('document')}
          onChange={({ currentTarget: { value } }) => choose(documents.find((one) => one === value))}
        >
          {documents.map((one) => (
            <option key={one} value={one}>
              {words(one)}
            </option>
          ))}
        </SelectField>
        <Field name="name" label={words('name')} autoComplete="off" required maxLength={100} />
        <Field
          name="number"
          label={words('number')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          maxLength={60}
        />
        {chosen === 'other' && <Field name="birthday" type="date" label={words('birthday')} required />}
        <Field name="agrees" type="checkbox" label={words('agrees')} />
        <Submit>{words('check')}</Submit>
      </Form>
    </>
  )
}
