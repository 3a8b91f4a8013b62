"""Somebody in each role."""

from django.contrib.auth.models import AbstractUser, Group, User

from catalogue.permissions import ROLES

STAFF, SUPERUSER = "staff without a group", "superuser"
MEMBERS = (STAFF, *ROLES, SUPERUSER)


def member(role: str) -> AbstractUser:
    """A new member of that role, whose name is that of the role."""
    if role == SUPERUSER:
        return User.objects.create_superuser(role, password=None)
    user = User.objects.create_user(role, is_staff=True)
    user.groups.set(Group.objects.filter(name=role))
    return user


def may(role: str, permission: str) -> bool:
    """As the table of roles says it. role: one of MEMBERS, or "" for a visitor"""
    return role == SUPERUSER or (role in ROLES and permission in ROLES[role].permissions)
