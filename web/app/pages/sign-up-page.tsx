import { SignUp } from '@clerk/react'
import { AuthPage } from '#web/features/auth/auth-page.tsx'

export function SignUpPage() {
  return (
    <AuthPage title="Get Started">
      <SignUp routing="path" path="/sign-up" />
    </AuthPage>
  )
}
