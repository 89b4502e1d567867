import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'

/** A link from the assistant's settings to its models. */
export function ModelsLink() {
  const words = useWords('assistantAdmin')
  if (!mayDo('assistant.view')) return null
  return (
    <p className="note">
      {words('modelsApart')} <Link to="/admin/assistant/model">{words('models')}</Link>
    </p>
  )
}
