import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, PasswordField, Submit, useForm } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import { me, promptRequest, type Me } from '#staff/admin/staff.tsx'
import { prove, signIn, type signInForm } from '#staff/contract.ts'
import type { me as meCall } from '#staff/right-contract.ts'
import css from '#staff/admin/staff.module.css'

/** The login prompt: a page of its own before the first screen, later a dialog over the page, which stays as it is. */
export function LoginPrompt({ head }: { /** Shown above the prompt. */ head?: ReactNode }) {
  const words = useWords('staffAdmin')
  const prompt = promptRequest.use()
  const staff = me.use()
  if (prompt && !staff)
    return (
      <>
        {head}
        <SignInPage answer={prompt.answer} />
      </>
    )
  return (
    <Dialog
      title={words(prompt?.what === 'prove' ? 'proveTitle' : 'signInAgain')}
      isOpen={prompt !== null}
      close={() => promptRequest.get()?.answer(false)}
    >
      {prompt?.what === 'signIn' && <SignIn answer={prompt.answer} />}
      {prompt?.what === 'prove' && <Prove answer={prompt.answer} />}
    </Dialog>
  )
}

type PromptProps = { answer: (isShown: boolean) => void }

function SignInPage({ answer }: PromptProps) {
  const words = useWords('staffAdmin')
  return (
    <main className={`narrow ${css.signIn}`} id="content">
      <h1>{words('signInTitle')}</h1>
      <p className="meta">
        {words('signInWhat')} <a href="/index">{words('toTheForum')}</a>
      </p>
      <SignIn answer={answer} />
      <details>
        <summary>{words('cannotSignIn')}</summary>
        <p>{words('helpCode')}</p>
        <p>{words('helpPassword')}</p>
        <p>
          {words('helpOperator')} <code>npm run teahouse -- staff password NAME</code>
        </p>
      </details>
    </main>
  )
}

function SignIn({ answer }: PromptProps) {
  const words = useWords('staffAdmin')
  const api = useApi()
  const [tries, setTries] = useState(0)
  const needsCaptcha = useCaptchaNeeded(tries)

  async function enter({ failures }: Output<typeof signIn>): Promise<void> {
    const was = me.get()
    const now: Me = await api.read<typeof meCall>('/admin/me', {}, { background: true })
    // The page was rendered for another account.
    if (was && was.id !== now.id) return location.reload()
    me.set(now)
    if (failures > 0) toast(words('failedSince', { count: failures }), { isPersistent: true })
    answer(true)
  }

  return (
    <Form endpoint={signIn} onRefused={() => setTries(tries + 1)} onSuccess={enter}>
      <Field name="account" label={words('account')} autoComplete="username" autoFocus data-first defaultValue={me.get()?.account} />
      <PasswordField name="password" label={words('password')} autoComplete="current-password" />
      <CodeField />
      <CaptchaField purpose="staff" isNeeded={needsCaptcha} tries={tries} />
      <Submit>{words('signIn')}</Submit>
    </Form>
  )
}

function Prove({ answer }: PromptProps) {
  const words = useWords('staffAdmin')
  return (
    <Form endpoint={prove} onSuccess={() => answer(true)}>
      <p>{words('proveWhat', { account: me.get()?.account ?? '' })}</p>
      <PasswordField name="password" label={words('password')} autoComplete="current-password" data-first />
      {me.get()?.hasSecondFactor ? <CodeField isNeeded /> : null}
      <Submit>{words('goOn')}</Submit>
    </Form>
  )
}

/** Shown once the server requires it: a second factor is not disclosed before the password was correct. */
function CodeField({ isNeeded = false }: { isNeeded?: boolean }) {
  const words = useWords('staffAdmin')
  const { errors, clearError } = useForm()
  const [isAsked, setAsked] = useState(isNeeded)
  if ('code' in errors && !isAsked) setAsked(true)
  const isTold = useRef(isNeeded)
  useEffect(() => {
    if (!isAsked || isTold.current) return
    // The first request for a code is no error.
    isTold.current = true
    clearError('code')
  }, [isAsked, clearError])
  if (!isAsked) return <input type="hidden" name="code" />
  return (
    <Field
      name="code"
      label={words('code')}
      help={words('codeHelp')}
      autoComplete="one-time-code"
      inputMode="text"
      maxLength={40}
      autoFocus={!isNeeded}
    />
  )
}

function useCaptchaNeeded(tries: number): boolean {
  const api = useApi()
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => {
    api.read<typeof signInForm>('/admin/signInForm', {}, { silent: true }).then(
      (form) => setNeeded(form.needsCaptcha),
      // The login itself reports it.
      (error: unknown) => console.info('Whether a captcha is needed is not known', error),
    )
  }, [api, tries])
  return isNeeded
}
