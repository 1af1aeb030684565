import type { SetStateAction } from "react";
import { changeEditing, type Editing, useEditing } from "./connection";
import { PasswordField } from "./PasswordField";
import type { Login } from "./state";

/** Stays the same function, since the field asks for the keychain whenever it is another. */
function changeLogin(next: SetStateAction<Login>) {
  const { editing } = useEditing.getState();
  if (!editing) return;
  const { password, remember } = editing;
  changeEditing(typeof next === "function" ? next({ password, remember }) : next);
}

/** The password of the connection in the form, or what is given in its place. */
export function EditedLogin({ editing: { password, remember }, label }: { editing: Editing; label?: string }) {
  return <PasswordField label={label} login={{ password, remember }} onChange={changeLogin} />;
}
