import * as m from '#messages'
import { usePageTitle } from '#web/lib/use-page-title.ts'

/** People whom the organization trains, and their groups. */
export function PeoplePage() {
  usePageTitle(m.people_tab())
  return <h2 className="text-xl font-semibold">{m.people_tab()}</h2>
}
