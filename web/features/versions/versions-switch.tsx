import { type FormEvent, useState } from 'react'
import { toast } from 'sonner'
import type { VersionsAnswer } from '#contract/version.ts'
import * as m from '#messages'
import { quotaSentence } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { SignFields, UNSIGNED } from './publish-fields.tsx'
import { useSwitchVersions } from './versions-query.ts'

interface VersionsSwitchProps {
  moduleId: string
  /** Of which a version can be published. */
  isReady: boolean
  versions: Pick<VersionsAnswer, 'published' | 'publishers' | 'mayPublish'>
}

/** Whether learners see published versions. Switching it on publishes one, for which the rules may ask for a name. */
export function VersionsSwitch({ moduleId, isReady, versions }: VersionsSwitchProps) {
  const { published, publishers, mayPublish } = versions
  const [isSigning, setIsSigning] = useState(false)
  const change = useSwitchVersions(moduleId, {
    onPublished: () => setIsSigning(false),
    onFailed: (error) =>
      void toast.error(m.failed_to_change_versions(), { description: quotaSentence(error) ?? error.message }),
  })
  const isOn = change.isPending ? change.variables.isOn : published !== null
  return (
    <>
      <Switch
        label={m.publish_versions()}
        description={isReady ? (isOn ? m.publish_versions_on() : m.publish_versions_off()) : m.publish_once_ready()}
        isOn={isOn}
        isDisabled={change.isPending || !mayPublish || (!isReady && !isOn)}
        onChange={(isWanted) =>
          isWanted && publishers !== 'anyone' ? setIsSigning(true) : change.mutate({ isOn: isWanted })
        }
      />
      <Dialog
        isOpen={isSigning}
        onOpenChange={setIsSigning}
        title={m.release_the_draft()}
        description={m.release_the_draft_explained()}
      >
        <SignForm
          isBusy={change.isPending}
          onCancel={() => setIsSigning(false)}
          onSign={(approval) => change.mutate({ isOn: true, approval })}
        />
      </Dialog>
    </>
  )
}

interface SignFormProps {
  isBusy: boolean
  onCancel: () => void
  onSign: (approval: typeof UNSIGNED) => void
}

function SignForm({ isBusy, onCancel, onSign }: SignFormProps) {
  const [approval, setApproval] = useState(UNSIGNED)
  function sign(event: FormEvent) {
    event.preventDefault()
    if (!isBusy) onSign(approval)
  }
  return (
    <form onSubmit={sign} className="grid grid-cols-1 gap-5">
      <SignFields {...{ approval }} onChange={(part) => setApproval({ ...approval, ...part })} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          {m.cancel()}
        </Button>
        <Button type="submit" isBusy={isBusy}>
          {m.release_and_publish()}
        </Button>
      </div>
    </form>
  )
}
