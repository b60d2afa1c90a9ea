import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as m from '#messages'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionCard } from '#web/ui/card.tsx'
import { AskingButton } from './asking-button.tsx'
import { useChangeNotifications, useMakeMatrixKey } from './notification-queries.ts'
import { SecretDialog } from './secret-dialog.tsx'

/** The key with which another system reads the matrix. */
export function MatrixKeyCard({ hasKey }: { hasKey: boolean }) {
  const address = new URL('/api/matrix', window.location.origin).href
  const [key, setKey] = useState<string | null>(null)
  const make = useMakeMatrixKey(setKey)
  const remove = useChangeNotifications()
  const explained = useFocusWhenFewer<HTMLParagraphElement>(hasKey ? 1 : 0)
  return (
    <SectionCard title={m.matrix_key_title()} className="p-5">
      <p ref={explained} tabIndex={-1} className="mt-1 text-sm text-ink-soft focus:outline-none">
        {m.matrix_key_explained()}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {hasKey ? (
          <>
            <AskingButton
              icon={KeyRound}
              label={m.matrix_key_new()}
              question={m.matrix_key_new_title()}
              description={m.matrix_key_new_text()}
              isBusy={make.isPending}
              onConfirm={() => make.mutate()}
            />
            <AskingButton
              icon={Trash2}
              label={m.matrix_key_remove()}
              question={m.matrix_key_remove_title()}
              description={m.matrix_key_remove_text()}
              isBusy={remove.isPending}
              onConfirm={() => remove.mutate({ kind: 'remove-key' })}
            />
          </>
        ) : (
          <Button variant="secondary" size="small" isBusy={make.isPending} onClick={() => make.mutate()}>
            {!make.isPending && <KeyRound aria-hidden="true" className="size-4" />}
            {m.matrix_key_make()}
          </Button>
        )}
      </div>
      {key !== null && (
        <SecretDialog
          secret={{
            kind: 'secret',
            title: m.matrix_key_title(),
            explained: m.matrix_key_shown_once({ address }),
            text: key,
          }}
          onClose={() => setKey(null)}
        />
      )}
    </SectionCard>
  )
}
