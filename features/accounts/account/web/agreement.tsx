import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'

/** The terms that registration agrees to. */
export function Agreement() {
  const words = useWords('account')
  return (
    <>
      {words('agreeStart')}{' '}
      <Link to="/termsService" target="_blank">
        {words('termsLink')}
      </Link>
    </>
  )
}
