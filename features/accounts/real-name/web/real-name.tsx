import { useLocation } from 'react-router'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { useForm } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'

const page = '/user/control/realNameAuthentication'

/** The note in a posting form that says which verification is missing, and links there and back. The draft stays. */
export function VerifyFirst({ hash }: { /** The form's own place on its page, as a hash. */ hash: string }) {
  const { errors } = useForm()
  const wrong = errors['verifyFirst']
  return (
    <output name="verifyFirst" className="wrong" hidden={!wrong}>
      {wrong} {wrong && <VerifyLink hash={hash} />}
    </output>
  )
}

function VerifyLink({ hash }: { hash: string }) {
  const words = useWords('realName')
  const { pathname, search } = useLocation()
  return <Link to={`${page}?jumpUrl=${encodeReturnPath(pathname + search + hash)}`}>{words('verifyNow')}</Link>
}
