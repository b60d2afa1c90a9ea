import * as m from '#messages'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { LoadingScreen } from '#web/ui/loading.tsx'

export function TestSpinnerPage() {
  usePageTitle(m.spinner_test())
  return <LoadingScreen />
}
