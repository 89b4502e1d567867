import { useLocation } from 'react-router'
import { Field } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

type InvitationFieldProps = {
  isNeeded: boolean
  /** The code typed in an earlier step. */ typed?: string | null
  type?: (code: string) => void
}

/** The code's field where registration requires an invitation, filled from a link. Elsewhere the link's code is a hidden field. */
export function InvitationField({ isNeeded, typed = null, type }: InvitationFieldProps) {
  const words = useWords('invitation')
  const invite = new URLSearchParams(useLocation().search).get('invite') ?? ''
  if (!isNeeded) return invite ? <input type="hidden" name="invitation" value={invite.slice(0, 64)} /> : null
  return (
    <Field
      name="invitation"
      label={words('code')}
      help={words('codeHelp')}
      defaultValue={typed ?? invite}
      onInput={({ currentTarget }) => type?.(currentTarget.value)}
      maxLength={64}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      required
    />
  )
}
