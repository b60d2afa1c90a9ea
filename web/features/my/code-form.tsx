import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { enterCode } from './my-queries.ts'

interface CodeFormProps {
  /** Of the link of the shared device. */
  linkKey: string
  /** Of the group. */
  name: string
  onKnown: () => void
}

/** Asks on a shared device who is there. */
export function CodeForm({ linkKey, name, onKnown }: CodeFormProps) {
  const id = useId()
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const enter = useMutation({
    mutationFn: () => enterCode(linkKey, code),
    onSuccess: onKnown,
  })
  // To be typed again, once what is wrong is there to be read.
  useEffect(() => {
    if (!enter.isError) return
    field.current?.focus()
    field.current?.select()
  }, [enter.isError])
  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.trim() !== '' && !enter.isPending) enter.mutate()
  }
  return (
    <Card className="mx-auto mt-6 w-full max-w-md p-6">
      <p className="text-sm text-ink-soft wrap-anywhere">
        <bdi>{name}</bdi>
      </p>
      <h1 className="mt-1 mb-5 text-2xl font-semibold">{m.my_who_is_here()}</h1>
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        <FormField id={id} label={m.my_code()} problem={enter.error?.message} isLive>
          {(links) => (
            <Input
              {...links}
              ref={field}
              value={code}
              maxLength={12}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              onChange={({ target }) => setCode(target.value)}
              className="h-14 text-center font-mono text-2xl! tracking-widest uppercase"
            />
          )}
        </FormField>
        <Button type="submit" size="large" isBusy={enter.isPending}>
          {m.my_begin()}
        </Button>
        <p className="text-sm text-ink-soft">{m.my_code_hint()}</p>
      </form>
    </Card>
  )
}
