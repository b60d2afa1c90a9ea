import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import { LINK_PASSWORD_MAX_CHARS, LINK_PASSWORD_MIN_CHARS } from '#contract/limits.ts'
import { Done, type Module, type ModulePatch, type NewLink, NewLinkAnswer } from '#contract/module.ts'
import * as m from '#messages'
import { quotaSentence, useApi } from '#web/lib/api.ts'
import { changeCachedModule } from '#web/lib/module-cache.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { readLastDay, readToday, writeLastDay } from './last-day.ts'

type LinkedThing = Pick<Module, 'id' | 'linkEndsAt' | 'hasLinkPassword'>
type LinkPatch = Pick<ModulePatch, 'linkEndsAt' | 'linkPassword'>

/** What a link asks for and how long it is good, for the owner of a training. Without any of it, whoever has it can watch. */
export function LinkSettings({ module }: { module: LinkedThing }) {
  return (
    <div className="grid gap-6">
      <PasswordSetting module={module} />
      <LastDaySetting module={module} />
      <ReplaceLink moduleId={module.id} />
    </div>
  )
}

const sayFailure = (error: Error) =>
  toast.error(m.failed_to_change_the_link(), { description: quotaSentence(error) ?? error.message })

/** Not shown before the server has answered: a password that only seems to be set would be handed out. */
function useChangeLink(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (patch: LinkPatch) =>
      callApi({ path: `/api/modules/${encodeURIComponent(moduleId)}`, method: 'PATCH', body: patch, schema: Done }),
    onSuccess: (_, { linkEndsAt, linkPassword }) =>
      changeCachedModule(queryClient, moduleId, {
        ...(linkEndsAt !== undefined && { linkEndsAt }),
        ...(linkPassword !== undefined && { hasLinkPassword: linkPassword !== null }),
      }),
    onError: sayFailure,
  })
}

function PasswordSetting({ module: { id: moduleId, hasLinkPassword } }: { module: LinkedThing }) {
  const id = useId()
  const change = useChangeLink(moduleId)
  // The button that removes the password goes with it.
  const field = useFocusWhenFewer<HTMLInputElement>(hasLinkPassword ? 1 : 0)
  const wanted = change.isPending ? change.variables.linkPassword : undefined
  function set(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const linkPassword = (form.elements.namedItem('link-password') as HTMLInputElement).value.trim()
    if (linkPassword.length < LINK_PASSWORD_MIN_CHARS || change.isPending) return
    const onSuccess = () => {
      form.reset()
      toast.success(m.password_was_set())
    }
    change.mutate({ linkPassword }, { onSuccess })
  }
  return (
    <form onSubmit={set}>
      <FormField id={id} label={m.password_noun()}>
        {(links) => (
          <Input
            {...links}
            ref={field}
            name="link-password"
            // In sight: it is handed on to others.
            type="text"
            autoComplete="off"
            required
            minLength={LINK_PASSWORD_MIN_CHARS}
            maxLength={LINK_PASSWORD_MAX_CHARS}
            aria-describedby={`${id}-hint`}
          />
        )}
      </FormField>
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
        {hasLinkPassword ? m.the_link_has_a_password() : m.link_password_hint({ count: LINK_PASSWORD_MIN_CHARS })}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" variant="secondary" size="small" isBusy={typeof wanted === 'string'}>
          {hasLinkPassword ? m.change_password() : m.set_password()}
        </Button>
        {hasLinkPassword && (
          <Button
            variant="ghost"
            size="small"
            isBusy={wanted === null}
            onClick={() => !change.isPending && change.mutate({ linkPassword: null })}
          >
            {m.remove_password()}
          </Button>
        )}
      </div>
    </form>
  )
}

function LastDaySetting({ module: { id: moduleId, linkEndsAt } }: { module: LinkedThing }) {
  const id = useId()
  const change = useChangeLink(moduleId)
  const day = linkEndsAt === null ? '' : readLastDay(linkEndsAt)
  const [typed, setTyped] = useState(day)
  const field = useFocusWhenFewer<HTMLInputElement>(linkEndsAt === null ? 0 : 1)
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions()
  function remove() {
    setTyped('')
    if (linkEndsAt !== null) change.mutate({ linkEndsAt: null })
  }
  return (
    <div>
      <FormField id={id} label={m.last_day_of_the_link()}>
        {(links) => (
          <Input
            {...links}
            ref={field}
            type="date"
            // While a year is typed, it is one long ago.
            min={readToday()}
            value={typed}
            aria-describedby={`${id}-hint`}
            onChange={({ target: { value, validity } }) => {
              setTyped(value)
              if (value !== '' && value !== day && validity.valid) change.mutate({ linkEndsAt: writeLastDay(value) })
            }}
            onBlur={({ target: { value, validity } }) => value === '' && !validity.badInput && remove()}
            className="w-44!"
          />
        )}
      </FormField>
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
        {m.the_link_ends_with_this_day({ zone })}
      </p>
      {linkEndsAt !== null && (
        <Button variant="ghost" size="small" className="mt-3" onClick={remove}>
          {m.remove_end_date()}
        </Button>
      )}
    </div>
  )
}

function ReplaceLink({ moduleId }: { moduleId: string }) {
  const [forwards, setForwards] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const replace = useReplaceLink(moduleId)
  const makeLink = () => replace.mutate({ forwards })
  const choices = [
    { isForward: false, label: m.says_that_it_was_replaced() },
    { isForward: true, label: m.leads_to_the_new_one() },
  ]
  return (
    <div>
      <h3 className="text-sm font-medium">{m.new_link()}</h3>
      <p className="mt-0.5 text-sm text-ink-soft">{m.new_link_explained()}</p>
      <fieldset className="mt-3 grid gap-2 text-sm">
        <legend className="mb-1.5 font-medium">{m.the_old_link()}</legend>
        {choices.map(({ isForward, label }) => (
          <label key={label} className="flex items-center gap-3 pointer-coarse:min-h-11">
            <input
              type="radio"
              name="old-link"
              className="size-5 shrink-0 accent-brand"
              checked={forwards === isForward}
              onChange={() => setForwards(isForward)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <Button
        variant="secondary"
        size="small"
        className="mt-3"
        isBusy={replace.isPending}
        // What hangs on a machine still works where it leads to the new one.
        onClick={() => (forwards ? makeLink() : setIsAsking(true))}
      >
        {m.make_a_new_link()}
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={m.make_a_new_link()}
        description={m.old_link_stops_at_once()}
        confirmLabel={m.make_a_new_link()}
        onConfirm={makeLink}
      />
    </div>
  )
}

function useReplaceLink(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewLink) =>
      callApi({
        path: `/api/modules/${encodeURIComponent(moduleId)}/link`,
        method: 'POST',
        body,
        schema: NewLinkAnswer,
      }),
    onSuccess: ({ shareUrl }) => {
      changeCachedModule(queryClient, moduleId, { shareUrl })
      toast.success(m.there_is_a_new_link())
    },
    onError: sayFailure,
  })
}
