import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { beginPasskey, namePasskey, removePasskey, type addPasskey, type security } from '#account-security/contract.ts'
import css from '#base/web/lines.module.css'
import type { Output } from '#base/contract.ts'
import { deviceName } from '#base/device-name.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Prompt } from '#base/web/prompt.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { makePasskey } from '#second-factor/web/second-factor.tsx'

type Passkey = Output<typeof security>['passkeys'][number]

export function Page() {
  const words = useWords('accountSecurity')
  const { passkeys, isStaff } = useLoaderData<Output<typeof security>>()
  return (
    <section className="column">
      <p className="meta">{words('passkeysWhat')}</p>
      <ul className={css.list}>
        {passkeys.map((one) => (
          <Line key={one.id} passkey={one} />
        ))}
      </ul>
      {isStaff ? <p className="note">{words('ofStaff')}</p> : <Add />}
    </section>
  )
}

function Line({ passkey: { id, name, madeAt, usedAt } }: { passkey: Passkey }) {
  const words = useWords('accountSecurity')
  const [isNamed, setNamed] = useState(false)
  const rename = useAction<typeof namePasskey>(namePasskey.path)
  const remove = useAction<typeof removePasskey>(removePasskey.path)

  async function end(): Promise<void> {
    if (!(await confirm(words('removePasskeyAsk', { name }), words('removePasskey')))) return
    await remove.run({ passkeyId: id }, { message: words('passkeyRemoved') })
  }

  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p className="meta">
          {words('madeAt')} <Time at={madeAt} /> · {usedAt ? words('usedAt') : words('neverUsed')} {usedAt && <Time at={usedAt} />}
        </p>
      </div>
      <span className={css.actions}>
        <button type="button" className="button quiet" aria-label={words('renameOf', { name })} onClick={() => setNamed(true)}>
          {words('renamePasskey')}
        </button>
        <button
          type="button"
          className="button quiet"
          aria-label={words('removeOf', { name })}
          disabled={remove.isBusy}
          onClick={() => void end()}
        >
          {words('removePasskey')}
        </button>
      </span>
      <Prompt
        title={words('renamePasskey')}
        label={words('passkeyName')}
        action={words('renamePasskey')}
        isOpen={isNamed}
        close={() => setNamed(false)}
        initial={name}
        check={/^.{1,50}$/}
        onSubmit={(next) => void rename.run({ passkeyId: id, name: next })}
      />
    </li>
  )
}

function Add() {
  const words = useWords('accountSecurity')
  const ofCodes = useWords('secondFactor')
  const [isNamed, setNamed] = useState(false)
  const begin = useAction<typeof beginPasskey>(beginPasskey.path)
  const add = useAction<typeof addPasskey>('/user/control/passkey/add')

  async function make(name: string): Promise<void> {
    const options = await begin.run({}, { onSuccess: () => undefined })
    const passkey = options && (await makePasskey(options, ofCodes))
    if (passkey) await add.run({ name, made: passkey }, { message: words('passkeyAdded') })
  }

  return (
    <>
      <p>
        <button type="button" className="button" disabled={begin.isBusy || add.isBusy} onClick={() => setNamed(true)}>
          {words('addPasskey')}
        </button>
      </p>
      <Prompt
        title={words('addPasskey')}
        label={words('passkeyName')}
        action={words('addIt')}
        isOpen={isNamed}
        close={() => setNamed(false)}
        initial={isNamed ? (deviceName(navigator.userAgent) ?? '') : ''}
        check={/^.{1,50}$/}
        onSubmit={(name) => void make(name)}
      />
    </>
  )
}
